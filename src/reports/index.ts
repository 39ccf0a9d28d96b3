// Problems that readers report about events and venues, as questions for the desk.
// A reader's words enter, untrusted and without an account; counted questions leave, and the operator's answer as an e-mail.
// An e-mail address is stored until the outcome is sent, and a network only as a keyed hash.
export { type AnswerResult, answerReport, sendReportOutcomes, type WordOutcome } from './answer-report.ts';
export {
  KINDS_OF,
  PROBLEM_KINDS,
  type ProblemKind,
  REPORT_ANSWERS,
  type ReportAnswer,
  type ReportedEntity,
  type ReportState,
} from './model.ts';
export { countOpenReports, findReport, type ListedReport, listReports } from './read-reports.ts';
export {
  type ProblemInput,
  type ReportPlace,
  type ReportReason,
  type ReportResult,
  reportProblem,
} from './report-problem.ts';
