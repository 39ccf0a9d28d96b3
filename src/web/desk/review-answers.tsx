import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { PostForm, Submit } from '../design/forms/form.tsx';

/** Same, different, or the next one; at hand wherever the page is scrolled to. */
export function AnswerBar({
  candidate,
  nextId,
  token,
  keys,
  hasUndo,
}: {
  candidate: string;
  nextId: string | null;
  token: string;
  keys: ReviewKeys;
  hasUndo: boolean;
}) {
  return (
    <section className="answer-bar" aria-label="Your answer">
      <PostForm className="answer-form" token={token}>
        {/* Return in the note must not decide: a form whose first button is disabled is not sent by it. */}
        <button type="submit" disabled hidden />
        <input type="hidden" name="question" value={candidate} />
        <input type="hidden" name="next" value={nextId ?? ''} />
        <div className="cluster">
          <Submit intent="same" hotkey="s">
            Same <Key on={keys.isOn}>S</Key>
          </Submit>
          <Submit intent="different" kind="" hotkey="d">
            Different <Key on={keys.isOn}>D</Key>
          </Submit>
          {nextId ? (
            <Link className="button plain" to={`/desk/review?at=${nextId}`} data-key="k" preventScrollReset>
              Skip <Key on={keys.isOn}>K</Key>
            </Link>
          ) : null}
        </div>
        <label className="answer-note">
          <span className="small">Note</span>
          <input className="input" name="note" maxLength={1000} placeholder="Reason (optional)" autoComplete="off" />
        </label>
      </PostForm>
      {keys.isOn === null ? null : (
        <details className="small">
          <summary data-key="?">
            Shortcuts are {keys.isOn ? 'on' : 'off'} <Key on={keys.isOn}>?</Key>
          </summary>
          <dl className="key-list">
            <div>
              <dt>
                <kbd>S</kbd>
              </dt>
              <dd>they are the same</dd>
            </div>
            <div>
              <dt>
                <kbd>D</kbd>
              </dt>
              <dd>they are different</dd>
            </div>
            <div>
              <dt>
                <kbd>K</kbd>
              </dt>
              <dd>skip: the next question, this one stays open</dd>
            </div>
            <div>
              <dt>
                <kbd>U</kbd>
              </dt>
              <dd>undo your last decision{hasUndo ? '' : ' (there is none)'}</dd>
            </div>
            <div>
              <dt>
                <kbd>?</kbd>
              </dt>
              <dd>show or hide this</dd>
            </div>
          </dl>
          <button type="button" className="button small" onClick={keys.toggle}>
            Turn shortcuts {keys.isOn ? 'off' : 'on'}
          </button>
        </details>
      )}
    </section>
  );
}

function Key({ on, children }: { on: boolean | null; children: string }) {
  return on ? <kbd>{children}</kbd> : null;
}

interface ReviewKeys {
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
