export type Document = { openapi: string; paths: Record<string, Record<string, { operationId?: unknown }>> };
/** What a linter or a validator finds in a document, as lines. */
type Linter = (document: Document) => Promise<string[]>;

// By a name that the compiler does not follow: the packages are those of this folder, which are not always installed.
async function load<T>(name: string): Promise<T> {
  const module = await import(name);
  return module.default ?? module;
}

interface Redocly {
  createConfig(config: object): Promise<object>;
  lintFromString(call: object): Promise<{ ruleId: string; message: string }[]>;
}
interface SwaggerParser {
  validate(document: object): Promise<unknown>;
}
interface Spectral {
  Spectral: new () => {
    setRuleset(rules: object): void;
    run(document: object): Promise<{ code: string; message: string; path: unknown[] }[]>;
  };
}

export const linters: Readonly<Record<string, Linter>> = {
  async Redocly(document) {
    const { createConfig, lintFromString } = await load<Redocly>('@redocly/openapi-core');
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  },
  async Spectral(document) {
    const { Spectral } = await load<Spectral>('@stoplight/spectral-core');
    const { oas } = await load<{ oas: object }>('@stoplight/spectral-rulesets');
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [oas] });
    const problems = await spectral.run(document);
    return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`);
  },
  async 'Swagger Parser'(document) {
    const parser = await load<SwaggerParser>('@apidevtools/swagger-parser');
    return parser.validate(structuredClone(document)).then(
      () => [],
      (error: Error) => [error.message],
    );
  },
};
