import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { curlOf, type ShownKey as Shown } from '../model/keys.ts';
import { CopyBlock } from './code.tsx';
import { Notice } from './notice.tsx';

/** A whole key, this once. */
export function ShownKey({ shown }: { shown: Shown }) {
  // A page that is left may be brought back as it was: without the key.
  const [isLeft, setLeft] = useState(false);
  const section = useRef<HTMLElement>(null);
  // The form that created it is far below.
  useEffect(() => section.current?.focus(), []);
  useEffect(() => {
    const leave = () => setLeft(true);
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, []);
  if (isLeft) return null;
  return (
    <section className="card stack new-key" aria-labelledby="shown" ref={section} tabIndex={-1}>
      <h2 id="shown">{shown.grace === null ? `Your new key: ${shown.name}` : `${shown.name} has a new key`}</h2>
      <p>
        Copy the key now: <strong>it is shown only once</strong>. We store only a hash of it.
      </p>
      <CopyBlock text={shown.key} label="the key" />
      {shown.grace === null ? null : <p>{GRACES[shown.grace]}</p>}
      {shown.isOpen ? (
        <>
          <p>The key works now. Try it:</p>
          <CopyBlock text={curlOf(shown.publicUrl, shown.key)} label="the request" />
          <p>
            <Link to="/dashboard">See the request arrive</Link>
          </p>
        </>
      ) : (
        <Notice kind="warn" title={`Its ${shown.tier} plan is not active yet.`}>
          Requests with this key return 402 until then. <Link to="/dashboard/plans">View plans</Link>
        </Notice>
      )}
    </section>
  );
}

const GRACES: Record<string, string> = {
  '0': 'The old key has stopped working.',
  '1h': 'The old key works for one more hour.',
  '24h': 'The old key works for 24 more hours.',
  '7d': 'The old key works for 7 more days.',
};
