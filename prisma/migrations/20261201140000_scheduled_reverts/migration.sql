-- Parameters that go back by themselves ("off for 30 minutes"): kept until that is done, cancelled or overtaken.
CREATE TABLE "ScheduledRevert" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "change" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "dueAt" DATETIME NOT NULL,
    "setAt" DATETIME NOT NULL,
    "setBy" TEXT NOT NULL,
    "reason" TEXT NOT NULL
);
CREATE INDEX "ScheduledRevert_dueAt_idx" ON "ScheduledRevert"("dueAt");
