import { Link } from 'react-router';
import { useText } from '../../design/use-language.ts';
import { type NeighborhoodCard, neighborhoodPath } from '../../model/lists.ts';

/** Neighborhoods with how much is on there, and what most. */
export function NeighborhoodCards({ neighborhoods }: { neighborhoods: readonly NeighborhoodCard[] }) {
  const text = useText();
  return (
    <ul className="place-grid">
      {neighborhoods.map(({ slug, name, events, topCategories }) => (
        <li key={slug}>
          <Link className="place-card" to={neighborhoodPath(slug)}>
            <strong>{name}</strong>
            <span>{text('events.count', { count: events })}</span>
            <span className="small quiet">{topCategories.map((each) => text(`categories.${each}`)).join(', ')}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
