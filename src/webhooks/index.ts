// Webhooks: the changes of the directory, pushed to the endpoints of customers.
// Numbered changes of the log enter, and messages about an account (`tell`); signed requests leave through `outbound`. Pages manage
// endpoints with `createEndpoints` and `createRedelivery`; a worker sends with `openWebhooks`. docs/webhooks.md tells customers how.

export { type AttemptResult, deliver, WEBHOOK_LIMITS } from './delivery/deliver.ts';
export { loadDeliveryDelay } from './delivery-delay.ts';
export { createEndpoints, type Endpoints } from './endpoints.ts';
export { type AccountEventType, DEFAULT_EVENT_TYPES, EVENT_TYPES, type EventType } from './event-types.ts';
export { type LookAfterOptions, lookAfterWebhooks } from './look-after.ts';
export type { Attempt, Endpoint, EndpointInput, ShownSecret, WebhookOwner } from './model.ts';
export { openWebhooks, type Webhooks } from './open-webhooks.ts';
export { faultOfProof, newProofText } from './proof.ts';
export type { RedeliveryRange } from './redeliver.ts';
export { createRedelivery, type Redelivery } from './redeliver.ts';
export type { WebhookReason } from './refusals.ts';
export { isOwnAddress } from './save-endpoints.ts';
export { webhookSchemas } from './schemas.ts';
export { createSeal, type Seal } from './seal.ts';
export { createSigner, type Signer } from './sign.ts';
export { tell } from './tell.ts';
