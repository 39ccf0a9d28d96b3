import { type RefObject, useEffect, useState } from 'react';

/** The key of the playground in the tab's own memory, if its reader asks for that: it ends with the tab. */
export function useKeptKey(input: RefObject<HTMLInputElement | null>) {
  const [keeps, setKeeps] = useState(false);
  useEffect(() => {
    const kept = sessionStorage.getItem(NAME);
    if (kept === null || !input.current) return;
    input.current.value = kept;
    setKeeps(true);
  }, [input]);
  return {
    keeps,
    choose(wanted: boolean) {
      setKeeps(wanted);
      if (wanted && input.current?.value) sessionStorage.setItem(NAME, input.current.value.trim());
      if (!wanted) sessionStorage.removeItem(NAME);
    },
    /** The key that is run, where keys are kept. */
    remember() {
      if (keeps && input.current) sessionStorage.setItem(NAME, input.current.value.trim());
    },
  };
}

const NAME = 'marquee-key';
