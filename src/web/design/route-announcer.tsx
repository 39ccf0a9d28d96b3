import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * Another page without a new document: readers who hear the page are told its title, and the focus goes to its heading, where it would
 * be after a load. Moving within a page (another period, another endpoint) leaves the focus where it is.
 */
export function RouteAnnouncer() {
  const { pathname, hash } = useLocation();
  const shown = useRef(pathname);
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    setAnnounced(document.title);
    const part = hash ? document.getElementById(hash.slice(1)) : null;
    const target = part ?? document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main');
    if (!target) return;
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [pathname, hash]);
  return (
    <div className="visually-hidden" aria-live="polite" data-arrival>
      {announced}
    </div>
  );
}
