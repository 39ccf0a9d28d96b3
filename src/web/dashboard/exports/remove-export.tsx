import { PostForm, Submit } from '../../design/forms/form.tsx';

/** Removes an export with its schedule, files and links. */
export function RemoveExport({ address, requestId }: { address: string; requestId: string }) {
  return (
    <section className="stack" aria-labelledby="remove">
      <h2 id="remove">Remove export</h2>
      <details>
        <summary className="button small danger">Remove export</summary>
        <PostForm action={address} className="form">
          <input type="hidden" name="request" value={requestId} />
          <p>Its schedule ends, and all of its files and links return 410. You cannot undo this.</p>
          <p>
            <Submit intent="remove" kind="danger">
              Remove export permanently
            </Submit>
          </p>
        </PostForm>
      </details>
    </section>
  );
}
