// How the service is doing, as the public is told: each minute of answers, the parts behind them, and the incidents of operators.
// Counters of the metrics and words of operators enter; a report from memory leaves, as values, JSON and RSS.
// The report needs no database: what only the database knows is as it was read last, and the report says when that was.

export {
  IMPACTS,
  type Impact,
  INCIDENT_STATES,
  type Incident,
  type IncidentResult,
  type IncidentState,
  listIncidents,
  OPEN_STATES,
  openIncident,
  updateIncident,
} from './incidents.ts';
export type {
  BackupAge,
  DayReport,
  PartName,
  ServiceHealth,
  ServicePart,
  SourceFreshness,
  StatusReport,
  SurfaceName,
  SurfaceReport,
} from './model.ts';
export { openStatus, type ServiceStatus } from './open-status.ts';
export { createStatusRoutes } from './status-documents.ts';
