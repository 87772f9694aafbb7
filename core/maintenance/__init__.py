"""Work over both documents and graph: opening stores, the sample, graph jobs, moving between stores.

May import answers' layer and everything below; never the workspace, pages, API or command line.
"""
