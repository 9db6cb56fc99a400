/**
 * Whether the person is signing out of this page. What the page still asks then is refused, and must not be taken for
 * a session that has ended by itself: that would lead back here after the next sign-in, whoever's it is.
 */
let isUnderWay = false;

export const leaving = {
  begin: (): void => {
    isUnderWay = true;
  },
  giveUp: (): void => {
    isUnderWay = false;
  },
  isUnderWay: (): boolean => isUnderWay,
};
