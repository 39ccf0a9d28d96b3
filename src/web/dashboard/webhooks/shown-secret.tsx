import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { CopyBlock } from '../../design/code.tsx';

interface Props {
  shown: { id: string; shown: { secret: string | null; publicKey: string | null }; isRotated: boolean };
}

/** Secrets of an endpoint, this once. */
export function ShownSecret({ shown: { id, shown, isRotated } }: Props) {
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
      <h2 id="shown">{isRotated ? 'Your new signing secret' : 'Your signing secret'}</h2>
      {shown.secret ? (
        <>
          <p>
            Copy the secret now: <strong>it is shown only once</strong>.
          </p>
          <CopyBlock text={shown.secret} label="the signing secret" />
        </>
      ) : null}
      {shown.publicKey ? (
        <>
          <p>The public key verifies v1a signatures:</p>
          <CopyBlock text={shown.publicKey} label="the public key" />
        </>
      ) : null}
      {isRotated ? <p>The old secret also signs messages for 24 hours.</p> : null}
      <p>
        <Link className="button primary" to={`/dashboard/webhooks/${id}`}>
          Continue to the endpoint
        </Link>
      </p>
    </section>
  );
}
