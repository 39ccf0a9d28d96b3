export type { ChangeBatch, FollowOptions } from './changes.ts';
export { createMarquee, type Marquee } from './client.ts';
export * from './errors.ts';
export type * from './generated.ts';
export type { MarqueeOptions, RequestOptions } from './options.ts';
export { verifyWebhook, WebhookError, type WebhookMessage, type WebhookRequest } from './webhooks.ts';
