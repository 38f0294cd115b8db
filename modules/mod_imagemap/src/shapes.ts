export interface Point {
  readonly x: number
  readonly y: number
}

/** Edges belong to the rectangle, whose corners may be in any order. */
export function isInRectangle({ x, y }: Point, [one, other]: readonly Point[]): boolean {
  if (one === undefined || other === undefined) return false
  return (
    x >= Math.min(one.x, other.x) &&
    x <= Math.max(one.x, other.x) &&
    y >= Math.min(one.y, other.y) &&
    y <= Math.max(one.y, other.y)
  )
}

/** The second point is on the edge, which belongs to the circle. */
export function isInCircle(point: Point, [centre, edge]: readonly Point[]): boolean {
  if (centre === undefined || edge === undefined) return false
  return squaredDistance(point, centre) <= squaredDistance(edge, centre)
}

/** Whether the point is on an edge, or a ray from it crosses the edges of the polygon an odd number of times. */
export function isInPolygon({ x, y }: Point, corners: readonly Point[]): boolean {
  let isInside = false
  let from = corners.at(-1)
  for (const to of corners) {
    if (from !== undefined && isOnEdge({ x, y }, from, to)) return true
    if (from !== undefined && from.y >= y !== to.y >= y) {
      const crossing = to.x - ((to.y - y) * (from.x - to.x)) / (from.y - to.y)
      if (crossing >= x) isInside = !isInside
    }
    from = to
  }
  return isInside
}

function isOnEdge({ x, y }: Point, from: Point, to: Point): boolean {
  const isOnLine = (y - from.y) * (to.x - from.x) === (x - from.x) * (to.y - from.y)
  return isOnLine && isInRectangle({ x, y }, [from, to])
}

export function squaredDistance(one: Point, other: Point): number {
  return (one.x - other.x) ** 2 + (one.y - other.y) ** 2
}
