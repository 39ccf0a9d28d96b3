import { useFormats } from '../../design/use-language.ts';
import type { EventCardFacts } from '../../model/lists/list-facts.ts';

interface Props {
  event: EventCardFacts;
  /** It is seen at once. */
  isFirst: boolean;
  /** How wide it is, as `sizes` of an image says it. */
  sizes: string;
}

/** The picture of an event with its day on it: the words beside it say the same. */
export function CardPicture({ event: { picture, category, startDatetime }, isFirst, sizes }: Props) {
  const formats = useFormats();
  const { src, srcSet, width, height } = picture;
  return (
    <div className={`card-picture ${category}`}>
      <img
        src={src}
        {...(srcSet !== null && { srcSet, sizes })}
        {...{ width, height }}
        alt=""
        loading={isFirst ? 'eager' : 'lazy'}
        decoding="async"
      />
      <span className="card-date" aria-hidden="true">
        <span>{formats.date(startDatetime, { month: 'short' })}</span>
        <strong>{formats.date(startDatetime, { day: 'numeric' })}</strong>
      </span>
    </div>
  );
}
