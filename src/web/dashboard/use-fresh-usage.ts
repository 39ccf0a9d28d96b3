import { useEffect, useRef } from 'react';
import { useRevalidator } from 'react-router';
import type { LeftNow } from '../model/keys.ts';

/** Loads the page's other figures again when what is left has moved: seldom enough to cost nothing, soon enough to be watched. */
export function useFreshUsage(left: Readonly<Record<string, LeftNow>>): void {
  const { revalidate } = useRevalidator();
  const used = Object.values(left).reduce((sum, { day }) => sum + day.used, 0);
  const shown = useRef(used);
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (used === shown.current) return;
    const wait = Math.max(SOON_MS, askedAt.current + EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      askedAt.current = performance.now();
      shown.current = used;
      void revalidate();
    }, wait);
    return () => clearTimeout(timer);
  }, [used, revalidate]);
}

const SOON_MS = 300;
const EVERY_MS = 3_000;
