/** Instants for people in other zones than the city: UTC with `Z`, seconds precision (decisions §2). */

export function formatUtc(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, -5)}Z`;
}
