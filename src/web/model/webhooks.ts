/** What the form of a webhook endpoint gets back. */

import type { EndpointInput } from '../../webhooks/index.ts';

export interface RefusedWebhookForm {
  kind: 'refused';
  intent: string;
  /** By field; `form` is about the whole. */
  errors: Record<string, string>;
  /** Whole seconds until the form may be sent again. */
  retryAfterSeconds?: number;
  draft: EndpointInput;
}
