import { Link } from 'react-router';

export function DeleteAccount() {
  return (
    <section className="card stack setting" aria-labelledby="leaving">
      <h2 id="leaving">Delete account</h2>
      <p>Your keys stop working within a second, and your name and address are removed. You cannot undo this.</p>
      <p>
        <Link className="button danger" to="/dashboard/account/delete">
          Delete account
        </Link>
      </p>
    </section>
  );
}
