// The MCP server: the directory as tools, resources and prompts for assistants.
// Requests for `/mcp` and a snapshot of the read model enter; JSON-RPC messages leave, as one answer or as a stream.
// `openMcp` gives the handler that the room `server` mounts. docs/mcp.md tells people how to connect.

export { createDocumentRoutes } from './documents.ts';
export { createMcpServer, type OpenedMcp, type OpenMcpOptions, openMcp } from './mcp-server.ts';
export { serveStdio } from './serve-stdio.ts';
export { type SubscriptionSender, startSubscriptionSender } from './subscriptions/subscription-sender.ts';
export { createEventSubscriptions, type EventSubscriptions } from './subscriptions/subscriptions.ts';
