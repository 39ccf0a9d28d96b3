import { Link } from 'react-router';
import { useText } from '../../design/use-language.ts';

/** The request that gives what the page shows, and where to try it. */
export function AsJson({ endpoint, path, id }: { endpoint: 'getEvent' | 'getVenue'; path: '/events' | '/venues'; id: string }) {
  const text = useText();
  return (
    <footer className="record-json">
      <p className="small quiet">{text('record.api')}</p>
      <p>
        <code>
          GET /api/v1{path}/{id}
        </code>
      </p>
      <p>
        <Link to={`/playground?${new URLSearchParams({ endpoint, id })}`}>{text('record.playground')}</Link>
      </p>
    </footer>
  );
}
