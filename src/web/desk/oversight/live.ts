import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/** Reads the page again every other second while `isOn`: what was begun in the background is seen to end. */
export function useLive(isOn: boolean): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (!isOn || state !== 'idle') return;
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, LOOK_EVERY_MS);
    const look = () => {
      if (document.visibilityState === 'visible') void revalidate();
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [isOn, state, revalidate]);
}

const LOOK_EVERY_MS = 2_000;
