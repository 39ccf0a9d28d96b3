/** Answers that were given: the same question has the same answer until the directory or the hour changes it. */

import type { PrintedResult } from '../protocol/dispatcher.ts';
import type { ToolPlace } from './tool.ts';

export interface ToolAnswers {
  find(question: string, place: ToolPlace): PrintedResult | null;
  /** `until`: directory time, milliseconds. */
  keep(question: string, place: ToolPlace, answer: PrintedResult, until: number): void;
}

export function createToolAnswers(): ToolAnswers {
  let edition = -1;
  let chars = 0;
  const kept = new Map<string, { answer: PrintedResult; from: number; until: number }>();

  function forget(): void {
    kept.clear();
    chars = 0;
  }

  return {
    find(question, { snapshot, now }) {
      if (snapshot.edition !== edition) return null;
      const found = kept.get(question);
      return found && now >= found.from && now < found.until ? found.answer : null;
    },
    keep(question, { snapshot, now }, answer, until) {
      if (snapshot.edition !== edition || chars > MAX_CHARS) forget();
      edition = snapshot.edition;
      kept.set(question, { answer, from: now, until });
      chars += question.length + answer.members.length;
    },
  };
}

/** Ten megabytes of text at most. */
const MAX_CHARS = 5_000_000;
