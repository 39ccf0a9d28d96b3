import { useLanguage } from '../../design/use-language.ts';
import type { EventsFacts } from '../../model/lists/list-facts.ts';
import { eventsPath, type ListQuery, TIME_NAMES, without } from '../../model/lists/list-paths.ts';
import { Chip, Chips } from '../cards/chips.tsx';
import { ListForm } from './list-form.tsx';

type Facts = Pick<EventsFacts, 'query' | 'view' | 'categories' | 'neighborhoods'>;

/** All that chooses events: words, time, category, and the rest in a form that opens. */
export function FilterBar({ query, view, categories, neighborhoods }: Facts) {
  const { text, formats } = useLanguage();
  const pathOf = (next: ListQuery) => eventsPath(next, { view });
  const anyTime = without(query, ...TIME_NAMES);
  const anyCategory = without(query, 'category');
  const isTimed = TIME_NAMES.some((name) => query[name] !== undefined);
  const isFree = query.free === 'true' || query.free === '1';
  return (
    <div className="filter-bar">
      <ListForm query={query} view={view} neighborhoods={neighborhoods} />
      {view === 'calendar' ? null : (
        <Chips label={text('filter.when')}>
          <Chip to={pathOf(anyTime)} isOn={!isTimed}>
            {text('when.any')}
          </Chip>
          {TIMES.map((when) => (
            <Chip key={when} to={pathOf({ ...anyTime, when })} isOn={query.when === when}>
              {text(`when.${when}`)}
            </Chip>
          ))}
          <Chip to={pathOf(isFree ? without(query, 'free') : { ...query, free: 'true' })} isOn={isFree}>
            {text('price.free')}
          </Chip>
        </Chips>
      )}
      <Chips label={text('filter.category')}>
        <Chip to={pathOf(anyCategory)} isOn={query.category === undefined}>
          {text('categories.all')}
        </Chip>
        {categories.map(({ value, count }) => (
          <Chip
            key={value}
            to={pathOf({ ...query, category: value })}
            isOn={query.category === value}
            count={formats.number(count)}
          >
            {text(`categories.${value}`)}
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

/** As people say it; all other times are named by dates. */
const TIMES = ['today', 'tonight', 'tomorrow', 'this_weekend', 'next_7_days', 'next_weekend'] as const;
