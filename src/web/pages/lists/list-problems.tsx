import { Link } from 'react-router';
import { Notice } from '../../design/notice.tsx';
import { useText } from '../../design/use-language.ts';
import type { ListProblem } from '../../model/lists/list-facts.ts';
import { filterName } from './describe-filter.ts';

/** Parts of the address that the list below does not use. */
export function ListProblems({ problems }: { problems: readonly ListProblem[] }) {
  const text = useText();
  if (problems.length === 0) return null;
  return (
    <Notice kind="warn" title={text('lists.problems')}>
      <ul className="stack tight">
        {problems.map(({ name, value, detail, suggestion }) => (
          <li key={`${name} ${detail}`}>
            {text('lists.problem', { name: filterName(text, name), value })}{' '}
            {suggestion ? (
              <Link to={suggestion.path}>{text('lists.didYouMean', { value: suggestion.value })}</Link>
            ) : (
              <span lang="en" className="quiet">
                {detail}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
