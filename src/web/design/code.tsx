import { useEffect, useState } from 'react';

/** Text to take away: shown whole, and copied at a press where scripts run. */
export function CopyBlock({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<'unknown' | 'ready' | 'copied' | 'failed'>('unknown');
  useEffect(() => setState(navigator.clipboard ? 'ready' : 'unknown'), []);
  const copy = async () => {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setState(copied ? 'copied' : 'failed');
    setTimeout(() => setState('ready'), SHOWN_MS);
  };
  return (
    <div className="copy">
      {/* A block that scrolls can be scrolled by keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      {state === 'unknown' ? null : (
        <button type="button" className="button small" onClick={copy}>
          {state === 'copied' ? 'Copied' : state === 'failed' ? 'Select to copy' : 'Copy'}
          <span className="visually-hidden"> {label}</span>
        </button>
      )}
    </div>
  );
}

/** Text with `code` between backquotes. */
export function Marked({ text }: { text: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which never move
  return text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}

const SHOWN_MS = 2_000;
