/** `namedCalendars`: the calendars and feeds that one page names, unread. */

import type { PageSurvey } from '../providers/index.ts';
import { linkedDoors } from './event-words.ts';
import { findDoors } from './platforms/platforms.ts';

/** The likeliest first, each location once. Whether there is an event behind one is not known. */
export function namedCalendars(page: PageSurvey): { kind: string; location: string }[] {
  const doors = [...findDoors(page).doors, ...linkedDoors(page)].sort((a, b) => b.rank - a.rank);
  return [...new Map(doors.map(({ kind, location }) => [location, { kind, location }])).values()];
}
