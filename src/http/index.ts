// Plain HTTP: heads of requests, what they accept, compression, request ids, which sites may ask, problems and refusals.
// Bytes and headers of Node enter and leave. Nothing in here knows the API, the pages or a record.
// `PROBLEMS` is the table of every refusal over HTTP; `docs/errors.md` follows it.

export { type FileFacts, wantedBytes } from './byte-range.ts';
export { ResponseBuffer, SerializedHeaders, sendQuickly, sendUnchangedQuickly, splitLines } from './fast-path.ts';
export {
  COMPRESS_FROM_BYTES,
  chooseEncoding,
  chooseMediaType,
  compress,
  compressNow,
  ENCODINGS,
  type Encoding,
  matchesTag,
  prefersStrict,
} from './negotiation.ts';
export { createHostGuard, type HostGuard, isFromOurPages, isOwnOrigin } from './origins.ts';
export { pageUrls, writePagingLinks } from './paging-links.ts';
export {
  API_PROBLEM_CODES,
  invalidParameters,
  PARAMETER_FAULTS,
  type ParameterFault,
  type ParameterProblem,
  PROBLEM_CODES,
  PROBLEMS,
  type Problem,
  type ProblemCode,
  showValue,
} from './problems.ts';
export {
  createRefusals,
  formHead,
  PLAIN_METHODS,
  PROBLEM_TYPE,
  problemHeaders,
  type Refuse,
  retryAfter,
  statusOf,
  writeProblem,
} from './refusals.ts';
export { checkMessage, createRequestIds, type RequestHead, readHead, splitTarget } from './request-head.ts';
export { respondWithBytes, type SentBytes, sendBytes } from './send-bytes.ts';
