export default function Home() {
  return (
    <section className="column gap prose">
      <title>Marquee</title>
      <p className="eyebrow">Now showing</p>
      <h1>One true list of what is on.</h1>
    </section>
  );
}
