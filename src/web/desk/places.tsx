import {
  type ActionFunctionArgs,
  data,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { listPlaceAnswers, listWaitingPlaces, sourceOfPlace } from '../../ingest/index.ts';
import { readCity } from '../../records/index.ts';
import { PageHead } from '../design/admin-layout.tsx';
import { CityMap } from '../design/city-map.tsx';
import { Field } from '../design/forms/field.tsx';
import { PostForm, Submit } from '../design/forms/form.tsx';
import { Empty } from '../design/notice.tsx';
import { readAct } from '../server/desk.ts';
import { answerAboutPlace } from '../server/desk-places.ts';
import { newFormToken } from '../server/forms.ts';
import { rooms } from '../server/rooms.ts';
import { requireOperator } from '../server/viewer.ts';
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
  return outcome.ok ? redirect(`/desk/places?done=${outcome.done}`) : data(outcome, { status: 400 });
}

function titleOf(name: string): string {
  const source = sourceOfPlace(name);
  return source === null ? name : `No place named: ${source}`;
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;
type Refused = Extract<Awaited<ReturnType<typeof answerAboutPlace>>, { ok: false }>;

export default function WaitingPlaces() {
  const { waiting, total, answers, center, token, done } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <PageHead title="Waiting places">
        Listings at these names are published, but only their area or the city is known. Listings that name no place are not
        published. An answer holds for all listings of the name or of the source, from the next run on.
      </PageHead>
      {refused ? null : <ActionNotice code={done} table={DONE} />}
      {waiting.length === 0 ? <Empty title="No place waits for your answer" /> : null}
      {waiting.map((place) => (
        <WaitingName key={`${place.name} ${token}`} place={place} center={center} token={token} refused={refused} />
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
  refused,
}: {
  place: Loaded['waiting'][number];
  center: Loaded['center'];
  token: string;
  refused: Refused | undefined;
}) {
  const own = refused?.name === name ? refused : undefined;
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
      {houses.map(({ venueId, name: house, address, reason }) => (
        <PostForm key={venueId} token={token}>
          <input type="hidden" name="name" value={name} />
          <input type="hidden" name="venue" value={venueId} />
          <p>
            <Link to={`/desk/venues/${venueId}`}>
              <Words>{house}</Words>
            </Link>
            {address === null ? null : `, ${address}`} <span className="quiet">({reason})</span>
          </p>
          <div>
            <Submit intent="same">Same as this venue</Submit>
          </div>
        </PostForm>
      ))}
      <PostForm token={token} errors={own && { form: own.error }}>
        <input type="hidden" name="name" value={name} />
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
      </PostForm>
      <PostForm token={token}>
        <input type="hidden" name="name" value={name} />
        {source === null ? null : (
          <Field
            label="Name of the venue"
            name="venueName"
            maxLength={300}
            hint="For a new venue. Without it, the venue is called as the source."
            defaultValue={own?.typed.venueName}
          />
        )}
        <Field label="Address" name="address" maxLength={300} defaultValue={own?.typed.address} />
        <Field
          label="Point"
          name="point"
          maxLength={40}
          hint="Latitude and longitude, such as 40.7128,-74.006, or set a pin on the map. It wins over the address."
          defaultValue={own?.typed.point}
        />
        {center ? (
          <CityMap
            label={`Map: where ${title} is`}
            records={[]}
            isListed={false}
            picks={{ field: 'point', center, label: 'Pin of the venue. Arrow keys move it.' }}
          />
        ) : null}
        <div className="cluster">
          <Submit intent="here">New venue here</Submit>
          <Submit intent="ignore">Ignore</Submit>
        </div>
      </PostForm>
    </article>
  );
}

function Answers({ answers, token }: { answers: Loaded['answers']; token: string }) {
  return (
    <section className="stack" aria-labelledby="answers">
      <h2 id="answers">Answered</h2>
      {answers.map(({ name, title, act, address, venueId, decidedBy }) => (
        <PostForm key={`${name} ${token}`} token={token}>
          <input type="hidden" name="name" value={name} />
          <p>
            <Words>{title}</Words>: {ACTS[act]} {venueId === null ? address : <Link to={`/desk/venues/${venueId}`}>a venue</Link>}{' '}
            ({decidedBy})
          </p>
          <div>
            <Submit intent="undo">Undo</Submit>
          </div>
        </PostForm>
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
