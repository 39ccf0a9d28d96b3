import { PostForm, Submit } from '../../design/forms/form.tsx';
import { Moment } from '../../design/moment.tsx';
import { DataTable } from '../../design/table.tsx';
import { REPEAT_NAMES } from './export-state.tsx';

interface Schedule {
  id: string;
  title: string;
  repeat: keyof typeof REPEAT_NAMES;
  nextAt: Date | null;
}

/** Exports that repeat, each with the button that ends it. */
export function ScheduleList({ schedules }: { schedules: readonly Schedule[] }) {
  if (schedules.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="schedules">
      <h2 id="schedules">Schedules</h2>
      <DataTable stacks caption="Exports that repeat" head={['Export', 'Repeat', 'Next', 'Stop']}>
        {schedules.map(({ id, title, repeat, nextAt }) => (
          <tr key={id}>
            <td>{title}</td>
            <td>{REPEAT_NAMES[repeat]}</td>
            <td>{nextAt ? <Moment at={nextAt} /> : null}</td>
            <td>
              <details>
                <summary className="button small danger">Remove</summary>
                <PostForm action="/dashboard/exports">
                  <input type="hidden" name="request" value={id} />
                  <p>The schedule ends, and its files and links return 410. You cannot undo this.</p>
                  <Submit intent="remove" kind="danger" small>
                    Remove schedule and files
                  </Submit>
                </PostForm>
              </details>
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
