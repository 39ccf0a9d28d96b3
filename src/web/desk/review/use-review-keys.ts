import { useEffect, useState } from 'react';

export interface ReviewKeys {
  /** Null before scripts run: then there are no keys. */
  isOn: boolean | null;
  toggle(): void;
}

/**
 * Single keys press the button or follow the link that carries them as `data-key`. They can be switched off (WCAG 2.2, 2.1.4), rest while
 * something is typed, and leave combinations to the browser.
 */
export function useReviewKeys(): ReviewKeys {
  const [isOn, setOn] = useState<boolean | null>(null);
  useEffect(() => setOn(localStorage.getItem(REMEMBERED) !== 'off'), []);
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
      const key = event.key.toLowerCase();
      const target = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
      if (!target) return;
      event.preventDefault();
      target.click();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOn]);
  return {
    isOn,
    toggle: () => {
      localStorage.setItem(REMEMBERED, isOn ? 'off' : 'on');
      setOn(!isOn);
    },
  };
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]');
}

const REMEMBERED = 'review-keys';
