import { useEffect, useRef, useState } from 'react';
import { CopyBlock } from '../../design/code.tsx';

/** A whole secret link, this once. */
export function ShownLink({ url }: { url: string }) {
  // A page that is left may be brought back as it was: without the secret.
  const [isLeft, setLeft] = useState(false);
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), []);
  useEffect(() => {
    const leave = () => setLeft(true);
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, []);
  if (isLeft) return null;
  return (
    <section className="card stack new-key" aria-labelledby="shown" ref={section} tabIndex={-1}>
      <h2 id="shown">Your new secret link</h2>
      <p>
        Copy the link now: <strong>it is shown only once</strong>. We store only a hash of it.
      </p>
      <CopyBlock text={url} label="the link" />
      <p>The link opens the manifest of the newest export. Anyone with the link can download all files of this export.</p>
    </section>
  );
}
