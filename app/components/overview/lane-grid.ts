/** Label and course side by side, on phones one above the other: every course has the same left and right edge. */
export const laneGrid = 'grid items-center gap-x-3 gap-y-0.5 sm:grid-cols-[11rem_minmax(0,1fr)]';
