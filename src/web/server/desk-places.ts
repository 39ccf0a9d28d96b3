/** What an operator answers about names of places whose street nobody knows. */

import { answerIgnore, answerSame, IngestError, undoPlaceAnswer } from '../../ingest/index.ts';
import { readPoint } from '../../values/read-point.ts';
import type { ShownOutcome, TypedPlace } from '../model/desk.ts';
import type { Act } from './desk.ts';
import { unknownForm } from './forms.ts';
import type { Rooms } from './rooms.ts';

export type PlaceOutcome = { ok: true; done: AnswerAct } | ShownOutcome;

type AnswerAct = 'same' | 'here' | 'ignore' | 'undo';

export function answerAboutPlace(act: Act, { store, clocks, runs }: Rooms): Promise<PlaceOutcome> {
  const { text, once, note, viewer } = act;
  const [name, intent] = [text('name'), text('intent')];
  const typed: TypedPlace = {
    venue: text('venue'),
    venueName: text('venueName'),
    address: text('address').trim(),
    point: text('point').trim(),
    placed: text('placed'),
  };
  const input = { store, name, now: clocks.directory(), by: viewer.email };
  const refused = (error: string): ShownOutcome => ({ ok: false, intent, name, error, typed });

  async function attempt(work: () => Promise<PlaceOutcome>): Promise<PlaceOutcome> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      return refused(`${error.message}.`);
    }
  }

  const answer = (done: AnswerAct, work: () => Promise<object | undefined>): Promise<PlaceOutcome> =>
    attempt(async () => {
      const found = await work();
      await note({ action: `venue.${done}`, subject: 'venue', subjectId: null, detail: { name, ...found } });
      return { ok: true, done };
    });

  function here(): Promise<PlaceOutcome> | PlaceOutcome {
    const house = text('house') || null;
    const place = house === null ? typedPlace(typed) : { address: null, point: null, house };
    if (typeof place === 'string') return refused(place);
    return answer('here', () => runs.here({ name, by: viewer.email, ...place }));
  }

  async function find(): Promise<PlaceOutcome> {
    if (typed.address === '') return refused('Enter an address to find.');
    return attempt(async () => {
      const found = await runs.findAddress(typed.address);
      const point = `${found.latitude},${found.longitude}`;
      return { ok: true, done: 'found', name, precision: found.precision, typed: { ...typed, point, placed: point } };
    });
  }

  if (intent === 'find') return find();
  if (intent === 'same')
    return once(() =>
      answer('same', () => answerSame({ ...input, house: typed.venue }).then(({ venueId }) => ({ venue: venueId }))),
    );
  if (intent === 'here') return once(async () => here());
  if (intent === 'ignore') return once(() => answer('ignore', () => answerIgnore(input).then(() => undefined)));
  if (intent === 'undo') return once(() => answer('undo', () => undoPlaceAnswer(input).then(() => undefined)));
  throw unknownForm();
}

/** Where a typed venue stands, or what is wrong with it. */
function typedPlace({ address, point: text, placed, venueName }: TypedPlace) {
  const point = text === '' ? null : readPoint(text);
  if (text !== '' && point === null) return 'The point must be latitude and longitude, such as 40.7128,-74.006.';
  if (address === '' && point === null) return 'Enter an address or a point.';
  // A point that was only found from the address is as sure as the address.
  const isOfAddress = address !== '' && text === placed;
  return { address: address || null, point: isOfAddress ? null : point, venueName: venueName || null };
}
