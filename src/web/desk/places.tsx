import type { ReactNode } from 'react';
import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useActionData,
  useLoaderData,
} from 'react-router';
import { listPlaceAnswers, listWaitingPlaces, sourceOfPlace } from '../../ingest/index.ts';
import { readCity } from '../../records/index.ts';
import { PageHead } from '../design/admin-layout.tsx';
import { Field } from '../design/forms/field.tsx';
import { PostForm, Submit } from '../design/forms/form.tsx';
import { Empty } from '../design/notice.tsx';
import type { ShownOutcome } from '../model/desk.ts';
import { readAct } from '../server/desk.ts';
import { answerAboutPlace } from '../server/desk-places.ts';
import { newFormToken } from '../server/forms.ts';
import { rooms } from '../server/rooms.ts';
import { requireOperator } from '../server/viewer.ts';
import { NewVenue } from './new-venue.tsx';
import { ActionNotice, Words } from './oversight/moments.tsx';

export async function loader(page: LoaderFunctionArgs) {
  await requireOperator(page);
  const { store, clocks } = page.context.get(rooms);
  const waiting = await listWaitingPlaces({ store, now: clocks.directory(), most: MAX_SHOWN });
  const answers = await listPlaceAnswers(store);
  const city = await readCity(store.db);
  return {
    done: new URL(page.request.url).searchParams.get('done'),
    token: newFormToken(),
    center: city && { latitude: city.latitude, longitude: city.longitude },
    total: waiting.total,
    waiting: waiting.places.map((place) => ({ ...place, title: titleOf(place.name) })),
    answers: answers.map(({ name, act, address, venueId, decidedBy }) => ({
      name,
      title: titleOf(name),
      act,
      address,
      venueId,
      decidedBy,
    })),
  };
}

export async function action(page: ActionFunctionArgs) {
  const outcome = await answerAboutPlace(await readAct(page), page.context.get(rooms));
  if (!outcome.ok) return outcome.intent === 'find' ? outcome : data(outcome, { status: 400 });
  return outcome.done === 'found' ? outcome : redirect(`/desk/places?done=${outcome.done}`);
}

/** To find an address changes nothing, and what is typed meanwhile stays. */
export function shouldRevalidate({ formData, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return formData?.get('intent') === 'find' ? false : defaultShouldRevalidate;
}

function titleOf(name: string): string {
  const source = sourceOfPlace(name);
  return source === null ? name : `No place named: ${source}`;
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

export default function WaitingPlaces() {
  const { waiting, total, answers, center, token, done } = useLoaderData<typeof loader>();
  const outcome = useActionData<typeof action>();
  return (
    <>
      <PageHead title="Waiting places">
        Listings at these names are published, but only their area or the city is known. Listings that name no place are not
        published. An answer holds for all listings of the name or of the source, from the next run on.
      </PageHead>
      {outcome ? null : <ActionNotice code={done} table={DONE} />}
      {waiting.length === 0 ? <Empty title="No place waits for your answer" /> : null}
      {waiting.map((place) => (
        <WaitingName key={`${place.name} ${token}`} place={place} center={center} token={token} outcome={outcome} />
      ))}
      {total > waiting.length ? (
        <p className="quiet">{total - waiting.length} more places wait. These have the most listings.</p>
      ) : null}
      {answers.length > 0 ? <Answers answers={answers} token={token} /> : null}
    </>
  );
}

function WaitingName({
  place: { name, title, source, count, samples, houses },
  center,
  token,
  outcome,
}: {
  place: Loaded['waiting'][number];
  center: Loaded['center'];
  token: string;
  outcome: ShownOutcome | undefined;
}) {
  const own = outcome?.name === name ? outcome : undefined;
  const refused = own && !own.ok ? own : undefined;
  return (
    <article className="card stack" aria-label={title}>
      <h2>
        <Words>{title}</Words>
      </h2>
      <p className="small quiet">
        {count === 1 ? '1 listing' : `${count} listings`}
        {source === null ? null : (
          <>
            {' of '}
            <Words>{source.name}</Words>
            {', not published: '}
            <Words>{source.location}</Words>
          </>
        )}
      </p>
      <ul>
        {samples.map(({ title, localStart, source, address }) => (
          <li key={`${source} ${localStart} ${title}`}>
            {localStart.replace('T', ' ')}, <Words>{title}</Words>
            {address === null ? null : (
              <>
                , <Words>{address}</Words>
              </>
            )}{' '}
            ({source})
          </li>
        ))}
      </ul>
      {houses.map((house) => (
        <AnswerForm key={house.venueId ?? house.houseId} name={name} token={token}>
          <LikelyHouseLine house={house} />
        </AnswerForm>
      ))}
      <AnswerForm name={name} token={token} error={refused?.intent === 'same' ? refused.error : undefined}>
        <Field
          label="Venue"
          name="venue"
          maxLength={300}
          hint="Its slug or ID, or the address of its page."
          defaultValue={own?.typed.venue}
        />
        <div>
          <Submit intent="same">Same as this venue</Submit>
        </div>
      </AnswerForm>
      <AnswerForm
        name={name}
        token={token}
        error={refused?.intent === 'here' || refused?.intent === 'ignore' ? refused.error : undefined}
      >
        <NewVenue title={title} isUnnamed={source !== null} center={center} own={own} />
      </AnswerForm>
    </article>
  );
}

/** Every answer about a name is a form of its own. */
function AnswerForm({
  name,
  token,
  error,
  children,
}: {
  name: string;
  token: string;
  error?: string | undefined;
  children: ReactNode;
}) {
  return (
    <PostForm token={token} errors={error === undefined ? undefined : { form: error }}>
      <input type="hidden" name="name" value={name} />
      {children}
    </PostForm>
  );
}

/** A venue that the name may be another name of, or an imported house that may become its venue. */
function LikelyHouseLine({ house }: { house: Loaded['waiting'][number]['houses'][number] }) {
  const { venueId, houseId, name, address, reason, distanceKm, distanceFrom } = house;
  return (
    <>
      <input type="hidden" name={venueId === null ? 'house' : 'venue'} value={venueId ?? houseId ?? ''} />
      <p>
        {venueId === null ? (
          <Words>{name}</Words>
        ) : (
          <Link to={`/desk/venues/${venueId}`}>
            <Words>{name}</Words>
          </Link>
        )}
        {address === null ? null : `, ${address}`}{' '}
        <span className="quiet">
          ({reason}; {distanceKm} km from {distanceFrom === 'center' ? 'the center' : 'its listings'})
        </span>
      </p>
      <div>
        {venueId === null ? <Submit intent="here">It is there</Submit> : <Submit intent="same">Same as this venue</Submit>}
      </div>
    </>
  );
}

function Answers({ answers, token }: { answers: Loaded['answers']; token: string }) {
  return (
    <section className="stack" aria-labelledby="answers">
      <h2 id="answers">Answered</h2>
      {answers.map(({ name, title, act, address, venueId, decidedBy }) => (
        <AnswerForm key={`${name} ${token}`} name={name} token={token}>
          <p>
            <Words>{title}</Words>: {ACTS[act]} {venueId === null ? address : <Link to={`/desk/venues/${venueId}`}>a venue</Link>}{' '}
            ({decidedBy})
          </p>
          <div>
            <Submit intent="undo">Undo</Submit>
          </div>
        </AnswerForm>
      ))}
    </section>
  );
}

const ACTS = { same: 'same as', here: 'stands here', ignore: 'ignored' } as const;
const DONE: Readonly<Record<string, string>> = {
  same: 'The next run of each source lists its events at that venue.',
  here: 'The next run of each source puts the venue there.',
  ignore: 'The name is not listed here any more.',
  undo: 'The answer was taken back.',
};
const MAX_SHOWN = 50;
