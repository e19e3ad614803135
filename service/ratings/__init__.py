"""Ratings in the database: what counted (`rated_result`, only ever added to), and what follows from it.

    ended games of the feed ---> intake --.
    matches of tournaments ----> results --+--> rated_result --> projection --> rating, rating_change

The truth is the list of results by pool; `projection` folds it, and folds it again from where it was changed.
"""
