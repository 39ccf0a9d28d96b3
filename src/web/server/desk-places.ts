/** What an operator answers about names of places whose street nobody knows. */

import { answerIgnore, answerSame, IngestError, undoPlaceAnswer } from '../../ingest/index.ts';
import { readPoint } from '../../values/read-point.ts';
import type { Act } from './desk.ts';
import { unknownForm } from './forms.ts';
import type { Rooms } from './rooms.ts';

export type PlaceOutcome =
  | { ok: true; done: 'same' | 'here' | 'ignore' | 'undo' }
  /** `name`: whose form was rejected. */
  | { ok: false; name: string; error: string; typed: { venue: string; venueName: string; address: string; point: string } };

export function answerAboutPlace(act: Act, { store, clocks, runs }: Rooms): Promise<PlaceOutcome> {
  const { text, once, note, viewer } = act;
  const name = text('name');
  const typed = { venue: text('venue'), venueName: text('venueName'), address: text('address'), point: text('point') };
  const input = { store, name, now: clocks.directory(), by: viewer.email };

  async function answer(
    done: 'same' | 'here' | 'ignore' | 'undo',
    work: () => Promise<object | undefined>,
  ): Promise<PlaceOutcome> {
    try {
      const found = await work();
      await note({ action: `venue.${done}`, subject: 'venue', subjectId: null, detail: { name, ...found } });
      return { ok: true, done };
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      return { ok: false, name, error: `${error.message}.`, typed };
    }
  }

  async function here(): Promise<PlaceOutcome> {
    const point = typed.point === '' ? null : readPoint(typed.point);
    if (typed.point !== '' && point === null)
      return { ok: false, name, error: 'The point must be latitude and longitude, such as 40.7128,-74.006.', typed };
    if (typed.address === '' && point === null) return { ok: false, name, error: 'Enter an address or a point.', typed };
    const place = { address: typed.address || null, point, venueName: typed.venueName || null };
    return answer('here', async () => ({ ...place, ...(await runs.here({ name, by: viewer.email, ...place })) }));
  }

  const intent = text('intent');
  if (intent === 'same')
    return once(() =>
      answer('same', () => answerSame({ ...input, house: typed.venue }).then(({ venueId }) => ({ venue: venueId }))),
    );
  if (intent === 'here') return once(here);
  if (intent === 'ignore') return once(() => answer('ignore', () => answerIgnore(input).then(() => undefined)));
  if (intent === 'undo') return once(() => answer('undo', () => undoPlaceAnswer(input).then(() => undefined)));
  throw unknownForm();
}
