/** A source that cannot be asked, or an answer that is not what its provider's kind says. The message is one sentence. */

export class ProviderError extends Error {
  readonly code:
    | 'bad_location'
    | 'bad_mapping'
    | 'needs_key'
    | 'too_large'
    | 'too_deep'
    | 'too_slow'
    | 'crashed'
    | 'garbled'
    | 'has_entities'
    | 'not_of_the_kind';

  constructor(code: ProviderError['code'], message: string) {
    super(message);
    this.name = 'ProviderError';
    this.code = code;
  }
}
