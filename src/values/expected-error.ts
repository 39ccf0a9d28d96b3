/**
 * What was foreseen and says all there is to say: a stable code for programs, one sentence for people. Whoever shows it adds no stack.
 * The families of errors (of the store, of runs, of settings) are its subclasses.
 */
export class ExpectedError extends Error {
  readonly code: string;
  /** An error of another thread arrives without its class, and with its properties. */
  readonly isExpected = true;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ExpectedError';
    this.code = code;
  }
}

export const isExpected = (error: unknown): error is ExpectedError =>
  error instanceof Error && (error as Partial<ExpectedError>).isExpected === true;
