/** The end of the service, as its parts see it. */
export interface ServiceState {
  /** It will end: said by every answer. */
  draining: boolean;
  /** It takes nothing new any more. */
  closing: boolean;
}
