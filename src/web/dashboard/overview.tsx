import { PageHead } from '../design/workroom.tsx';

export default function Overview() {
  return <PageHead title="Overview" />;
}
