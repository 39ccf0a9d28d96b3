/** Many single questions, few queries: one batch is under way at a time, and what arrives meanwhile makes the next. */

import { createDeadline, type Patience } from '../../store/index.ts';

export interface BatchOptions<Answer> extends Patience {
  /** Answers for those keys that have one. */
  read(keys: string[]): Promise<ReadonlyMap<string, Answer>>;
  /** What has become known meanwhile and is good enough for whoever asks now. */
  known?(key: string): Answer | undefined;
  /** Keys in one batch, at most. */
  size: number;
  /** Keys waiting, at most; beyond, a question is refused with a `CrowdedError`. */
  waiting: number;
}

type Question<Answer> = PromiseWithResolvers<Answer | null>;

/**
 * Asks about one key; null when it has no answer. Equal questions share an answer only while they wait: but for what is `known`, a
 * question is never answered from a read that began before it was asked, so what is committed is seen at once.
 */
export function createBatches<Answer>(options: BatchOptions<Answer>): (key: string) => Promise<Answer | null> {
  const inTime = createDeadline(options);
  const waiting = new Map<string, Question<Answer>>();
  let running = false;

  /** The next questions, oldest first. Those whose answer is known by now get it at once. */
  const takeBatch = (): [string, Question<Answer>][] => {
    const batch: [string, Question<Answer>][] = [];
    for (const [key, question] of waiting) {
      if (batch.length === options.size) break;
      waiting.delete(key);
      const answer = options.known?.(key);
      if (answer === undefined) batch.push([key, question]);
      else question.resolve(answer);
    }
    return batch;
  };

  const answerBatch = async (batch: readonly [string, Question<Answer>][]): Promise<void> => {
    try {
      const answers = await inTime(() => options.read(batch.map(([key]) => key)));
      for (const [key, question] of batch) question.resolve(answers.get(key) ?? null);
    } catch (error) {
      for (const [, question] of batch) question.reject(error);
    }
  };

  const run = async (): Promise<void> => {
    if (running) return;
    running = true;
    while (waiting.size > 0) {
      const batch = takeBatch();
      if (batch.length > 0) await answerBatch(batch);
    }
    running = false;
  };

  return (key) => {
    const asked = waiting.get(key);
    if (asked) return asked.promise;
    if (waiting.size >= options.waiting) return Promise.reject(new CrowdedError('too many key lookups are waiting'));
    const question = Promise.withResolvers<Answer | null>();
    waiting.set(key, question);
    void run();
    return question.promise;
  };
}

export class CrowdedError extends Error {
  readonly code = 'crowded';
}
