import { useEffect, useState } from 'react';
import type { Suggestion } from '../../../search/index.ts';
import type { SuggestionAnswer } from '../../model/search.ts';

/** The suggestions for a text, a moment after it was typed. What fails suggests nothing: the form works without it. */
export function useSuggestions(text: string): readonly Suggestion[] {
  const [found, setFound] = useState<{ text: string; suggestions: readonly Suggestion[] }>({ text: '', suggestions: [] });
  useEffect(() => {
    if (text.trim() === '') return;
    const leaving = new AbortController();
    const load = async () => {
      const answer = await fetch(`/search/suggestions?${new URLSearchParams({ ask: text })}`, { signal: leaving.signal });
      if (answer.ok) setFound({ text, ...((await answer.json()) as SuggestionAnswer) });
    };
    const timer = setTimeout(() => void load().catch(() => {}), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text]);
  return text.trim() === '' ? [] : found.suggestions;
}

const PAUSE_MS = 120;
