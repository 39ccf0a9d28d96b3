import { createElement, useEffect, useState } from 'react';

/** The embed as other sites show it, in each layout. */
export function LivePreview({ id, layout }: { id: string; layout: string }) {
  const [shown, setShown] = useState(layout);
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <div className="stack">
      {isReady ? (
        <p className="cluster">
          {LAYOUTS.map((each) => (
            <button
              key={each}
              type="button"
              className="button small"
              aria-pressed={each === shown}
              onClick={() => setShown(each)}
            >
              {each}
            </button>
          ))}
        </p>
      ) : null}
      <script src="/embed/v1/marquee-events.js" async />
      {createElement('marquee-events', { embed: id, layout: shown }, <a href={`/embed/${id}`}>Show the events</a>)}
    </div>
  );
}

const LAYOUTS = ['list', 'map', 'calendar'] as const;
