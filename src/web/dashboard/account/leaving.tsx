import { Link } from 'react-router';

export function Leaving() {
  return (
    <section className="card stack setting" aria-labelledby="leaving">
      <h2 id="leaving">Delete the account</h2>
      <p>Your keys stop within a second, and your name and address are removed. It cannot be undone.</p>
      <p>
        <Link className="button danger" to="/dashboard/account/delete">
          Delete the account…
        </Link>
      </p>
    </section>
  );
}
