export { type McpRouteOptions, mcpRoute } from './http.ts';
export { type ListedTool, type ReadyTool, toolsFor } from './listing.ts';
export { createMcpServer, type McpServerOptions } from './server.ts';
export { type StdioOptions, serveStdio } from './stdio.ts';
export type { Tool } from './tool.ts';
