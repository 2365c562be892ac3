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
  ${exitCodes.failed}    failed: the engine, the store, no such profile, every row rejected
  ${exitCodes.usage}    wrong usage: an option, file, configuration or request to correct
  ${exitCodes.interrupted}  interrupted: what was stored by then stays`;
