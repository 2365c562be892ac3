// Generated from docs/guides/frameworks.md by test/generate-docs/blocks.ts.
export const runtime = 'nodejs';
export const GET = (request: Request) => handler.fetch(request);
export const POST = GET;
export {};
