import { Link } from 'react-router';

/** The request that gives what the page shows, and where to try it. */
export function AsJson({ endpoint, path, id }: { endpoint: 'getEvent' | 'getVenue'; path: '/events' | '/venues'; id: string }) {
  return (
    <footer className="record-json">
      <p className="small quiet">In the API:</p>
      <p>
        <code>
          GET /api/v1{path}/{id}
        </code>
      </p>
      <p>
        <Link to={`/playground?${new URLSearchParams({ endpoint, id })}`}>Try it in the playground</Link>
      </p>
    </footer>
  );
}
