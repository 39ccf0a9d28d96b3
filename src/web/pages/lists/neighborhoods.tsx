import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { useCanonical, useText } from '../../design/use-language.ts';
import { useRoot } from '../../design/use-root.ts';
import { readNeighborhoodIndex } from '../../server/neighborhoods.ts';
import { rooms } from '../../server/rooms.ts';
import { NeighborhoodCards } from '../cards/neighborhood-cards.tsx';
import '../cards/cards.css';
import './lists.css';

export const handle = { isStatic: true };

export const loader = ({ context }: LoaderFunctionArgs) => readNeighborhoodIndex(context.get(rooms));

export default function NeighborhoodsPage() {
  const { neighborhoods, canonical } = useLoaderData<typeof loader>();
  const text = useText();
  const city = useRoot()?.city.name ?? text('site.yourCity');
  const heading = text('neighborhoods.heading', { city });
  return (
    <div className="column gap list-page">
      <title>{`${heading} · Marquee`}</title>
      <meta name="description" content={text('neighborhoods.description', { city })} />
      <link rel="canonical" href={useCanonical(canonical)} />
      <header className="stack">
        <h1>{heading}</h1>
        <p className="lead">{text('neighborhoods.lead', { count: neighborhoods.length })}</p>
      </header>
      <NeighborhoodCards neighborhoods={neighborhoods} />
    </div>
  );
}
