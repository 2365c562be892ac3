/** What the command ends with. The help texts are made from this table. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodesHelp = `Exit codes:
  ${exitCodes.ok}    done
  ${exitCodes.failed}    failed: the engine, the store, no such profile, or every row of an import was rejected
  ${exitCodes.usage}    wrong usage: an option, a file, a configuration or a request that cannot be taken
  ${exitCodes.interrupted}  interrupted: what was stored by then stays`;
